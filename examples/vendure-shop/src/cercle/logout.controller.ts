import { BadRequestException, Body, Controller, Header, HttpCode, Inject, Post } from "@nestjs/common";
import { Customer, Logger, RequestContextService, SessionService, TransactionalConnection } from "@vendure/core";
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from "jose";
import { settings } from "../settings.ts";
import { findProvider } from "./provider.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";
let keys: ReturnType<typeof createRemoteJWKSet> | undefined;

/** Back-channel logout: the customer's session at Cercle has ended, so the customer's sessions here end too. */
@Controller("cercle")
export class LogoutController {
  @Inject(TransactionalConnection) private readonly connection!: TransactionalConnection;
  @Inject(RequestContextService) private readonly contexts!: RequestContextService;
  @Inject(SessionService) private readonly sessions!: SessionService;

  @Post("logout")
  @HttpCode(204)
  @Header("cache-control", "no-store")
  async logout(@Body("logout_token") token: string | undefined): Promise<void> {
    const { sub } = await verify(token ?? "");
    const ctx = await this.contexts.create({ apiType: "shop" });
    const customer = await this.connection
      .getRepository(ctx, Customer)
      .findOne({ where: { customFields: { cercleSub: sub } }, relations: { user: true } });
    // Vendure does not store which sign-in a session came from: all of the customer's end.
    if (customer?.user) await this.sessions.deleteSessionsByUser(ctx, customer.user);
  }
}

/** Anything but a logout token of our provider, for us, is refused. */
async function verify(token: string): Promise<JWTPayload> {
  const { issuer, jwks_uri } = (await findProvider()).serverMetadata();
  keys ??= createRemoteJWKSet(new URL(jwks_uri ?? ""));
  try {
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer, audience: settings.clientId, typ: "logout+jwt", requiredClaims: ["sub", "iat", "jti", "events"] },
    });
    const { events } = payload as { events: Record<string, unknown> };
    if (!(event in events) || "nonce" in payload) throw new Error("It is no logout token.");
    return payload;
  } catch (error) {
    Logger.warn(`Logout: ${error}`, "Cercle");
    throw new BadRequestException({ error: "invalid_request", error_description: String(error) });
  }
}
