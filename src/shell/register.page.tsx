import type { LoaderFunctionArgs } from "react-router";
import { RegisterForm, loader as redirectSignedIn } from "#identity/registration/register-form.tsx";
import { readProgramme } from "#loyalty/calls.ts";
import { callContext } from "#platform/api/client/call-context.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { lazyPart } from "#ui/lazy.tsx";

export { action } from "#identity/registration/register-form.tsx";

/** A picture: it is there as the server has rendered it. */
const SampleCard = lazyPart(async () => (await import("#loyalty/card/sample-card.tsx")).SampleCard);

export async function loader(args: LoaderFunctionArgs) {
  const [programme] = await Promise.all([args.context.get(callContext)(readProgramme), redirectSignedIn(args)]);
  return programme;
}

/** The registration, with the card and the welcome gift of the club as it is now. */
export function Component() {
  const { WelcomePoints, Tiers } = useLoaded<typeof loader>();
  const [first] = Tiers;
  const card = first && <SampleCard rank={first.Rank} tier={first.Name} />;
  return <RegisterForm club={{ points: WelcomePoints, card }} />;
}
