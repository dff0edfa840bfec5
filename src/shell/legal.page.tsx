import type { LoaderFunctionArgs } from "react-router";
import { callContext } from "#platform/api/client/call-context.ts";
import { useLoaded } from "#platform/api/client/use-loaded.ts";
import { readLegalPage } from "#platform/legal/calls.ts";
import { PageTitle } from "#ui/page-title.tsx";

export async function loader({ context, params }: LoaderFunctionArgs) {
  return context.get(callContext)(readLegalPage, { Name: params["name"] ?? "" });
}

/** A legal page of the brand. */
export function Component() {
  const { Title, Html } = useLoaded<typeof loader>();
  return (
    <main id="content" className="wrap grow pt-10 pb-20 lg:pt-16">
      <PageTitle title={Title} />
      <h1 className="max-w-[46rem] hyphens-auto text-title">{Title}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made on the server from Markdown without HTML. */}
      <div className="legal mt-8 max-w-[46rem]" dangerouslySetInnerHTML={{ __html: Html }} />
    </main>
  );
}
