/** What the page about a run is written from, as text: see tsdown.config.ts. */
declare module "page:*" {
  const text: string;
  export default text;
}
