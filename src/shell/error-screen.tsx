/** What stands where a page could not: the status, a sentence, two ways on. */
export function ErrorScreen() {
  return <p>Error</p>;
}
