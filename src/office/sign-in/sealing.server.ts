import { createSealing, type Sealing } from "#platform/database/sealing.server.ts";
import type { Pins } from "#staff/pins.server.ts";

/** Encrypts the secrets of codes with a key that is not in the database. */
export const officeSealing = (pins: Pins): Sealing => createSealing(() => pins.keyed("totp secrets"));
