import { useTexts } from "#i18n/use-texts.tsx";
import type { readProgramme } from "#loyalty/calls.ts";
import type { ResponseBody } from "#platform/api/api.ts";

type Programme = Pick<ResponseBody<typeof readProgramme>, "WelcomePoints" | "Rewards">;

/** The values of texts about the welcome gift: its points, and the vouchers of the cheapest reward that they reach. */
export function useWelcomeGift({ WelcomePoints, Rewards }: Programme) {
  const { number, money } = useTexts();
  const [cheapest] = Rewards;
  const vouchers = cheapest ? Math.floor(WelcomePoints / cheapest.Points) : 0;
  return {
    /** None: the texts leave it out. */
    gift: WelcomePoints,
    points: number(WelcomePoints),
    vouchers,
    amount: money(vouchers * Number(cheapest?.Value.Amount ?? 0)),
  };
}
