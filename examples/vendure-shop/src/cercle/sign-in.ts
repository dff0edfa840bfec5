import {
  type AuthenticationStrategy,
  Customer,
  ExternalAuthenticationService,
  type Injector,
  Logger,
  type RequestContext,
  TransactionalConnection,
  UnverifiedExternalEmailError,
  type User,
} from "@vendure/core";
import { gql } from "graphql-tag";
import { authorizationCodeGrant } from "openid-client";
import { findProvider } from "./provider.ts";

interface Returned {
  /** The address the customer came back to. */
  url: string;
  codeVerifier: string;
  state: string;
  nonce: string;
}

/** Customers sign in with their account at Cercle. This server exchanges the code: the secret never leaves it. */
export class CercleSignIn implements AuthenticationStrategy<Returned> {
  readonly name = "cercle";
  private external!: ExternalAuthenticationService;
  private connection!: TransactionalConnection;

  init(injector: Injector): void {
    this.external = injector.get(ExternalAuthenticationService);
    this.connection = injector.get(TransactionalConnection);
  }

  defineInputType() {
    return gql`
      input CercleSignInInput {
        url: String!
        codeVerifier: String!
        state: String!
        nonce: String!
      }
    `;
  }

  async authenticate(ctx: RequestContext, returned: Returned): Promise<User | string> {
    const tokens = await this.exchange(returned);
    const claims = tokens?.claims();
    if (!tokens?.id_token || !claims) return "The sign-in did not succeed.";
    const { sub, email, email_verified, given_name, family_name } = claims;
    try {
      const user =
        (await this.external.findCustomerUser(ctx, this.name, sub)) ??
        (await this.external.createCustomerAndUser(ctx, {
          strategy: this.name,
          externalIdentifier: sub,
          emailAddress: String(email),
          verified: email_verified === true,
          firstName: String(given_name ?? ""),
          lastName: String(family_name ?? ""),
        }));
      // Orders name the customer by sub, hours later too.
      await this.connection
        .getRepository(ctx, Customer)
        .update({ user: { id: user.id } }, { customFields: { cercleSub: sub, cercleIdToken: tokens.id_token } });
      return user;
    } catch (error) {
      // The shop knows the address already, and no one has proved that it is this customer's.
      if (error instanceof UnverifiedExternalEmailError) return "Confirm your email address at Cercle first.";
      throw error;
    }
  }

  private async exchange({ url, codeVerifier, state, nonce }: Returned) {
    const checks = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce };
    try {
      return await authorizationCodeGrant(await findProvider(), new URL(url), { ...checks, idTokenExpected: true });
    } catch (error) {
      Logger.warn(`Sign-in: ${error}`, "Cercle");
      return undefined;
    }
  }
}
