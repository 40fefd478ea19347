/** The words a model reads are Markdown files of their own; the bundler and the test runner hand them over as text. */
declare module "*.md" {
  const text: string;
  export default text;
}
