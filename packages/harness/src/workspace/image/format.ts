/** What an image format declares of itself. A format is told by its bytes: names lie. */

/** Pixels. */
export type Size = { width: number; height: number };

export interface ImageFormat {
  readonly name: string;
  readonly mediaType: string;
  /** How a file begins, each byte as the character of that number. */
  readonly begins: RegExp;
  /** Undefined unless the file is whole: one that ends too early, or is damaged where it shows, is no image to send. */
  measure(file: Buffer): Size | undefined;
}
