import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";

/** better-auth as its documentation sets it up for production: a pg pool, its own tables, a secret, a fixed address. */
export async function open({ pool, baseURL, password, session, experimental }) {
  const options = {
    baseURL,
    secret: "a-secret-of-the-bench-that-is-long-enough",
    database: pool,
    emailAndPassword: { enabled: true, password },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    ...(session && { session }),
    ...(experimental && { experimental }),
  };
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  return betterAuth(options).handler;
}
