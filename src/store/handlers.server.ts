import { room } from "#platform/api.server.ts";
import { readPoster } from "./calls.ts";
import { storeContract } from "./contract.server.ts";
import { posterOf } from "./poster.server.ts";

export function storeRoom({ publicUrl }: { publicUrl: string }) {
  return room(storeContract, {
    async [readPoster]({ locale }) {
      return posterOf(publicUrl, locale);
    },
  });
}
