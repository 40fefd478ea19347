/** Small whole images for tests: 7 x 5 pixels each, as common encoders write them. */

import { crc32, deflateSync } from "node:zlib";

/** Black, of any size; `width` and `height` in pixels. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // one bit a pixel
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND")]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The JPEG is a progressive one: several scans. The WebP are lossy, lossless and extended (with alpha). */
export const images: Readonly<Record<"gif" | "jpeg" | "lossy" | "lossless" | "extended", Buffer>> = Object.freeze({
  gif: decoded("R0lGODdhBwAFAIEAAKSZgCSZgKQagCQagCwAAAAABwAFAAAIGQAHCBRAUIDAAQUFBFgIoCGAhQEcPmToMCAAOw=="),
  jpeg: decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8yb" +
      "qmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wgARCAAF" +
      "AAcDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAH/xAAVAQEBAAAAAAAAAAAAAAAAAAAAAv/aAAwDAQACEAMQAAABoh//xAAXEAADAQ" +
      "AAAAAAAAAAAAAAAAAAAQID/9oACAEBAAEFApzR/8QAGBEAAgMAAAAAAAAAAAAAAAAAAAECAxL/2gAIAQMBAT8Brk8n/8QAFhEBAQEAAAAAAAAA" +
      "AAAAAAAAAQAC/9oACAECAQE/AXTf/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQ" +
      "ABPyFf/9oADAMBAAIAAwAAABAH/8QAFhEAAwAAAAAAAAAAAAAAAAAAABEh/9oACAEDAQE/EE1P/8QAFhEAAwAAAAAAAAAAAAAAAAAAABEx/9oA" +
      "CAECAQE/EHKf/8QAFhAAAwAAAAAAAAAAAAAAAAAAABHh/9oACAEBAAE/EEIf/9k=",
  ),
  lossy: decoded("UklGRj4AAABXRUJQVlA4IDIAAADQAQCdASoHAAUABUB8JbACdAEOuwWOAAD+qg7pR+h/CgfWticwihvxFJbWxuXRMAAAAA=="),
  lossless: decoded("UklGRjQAAABXRUJQVlA4TCgAAAAvBgABALkyRPQ/dhHR/4CCtm0Ycyp/dt2BIBBI4TA9gDEBChgMidQn"),
  extended: decoded(
    "UklGRngAAABXRUJQVlA4WAoAAAAQAAAABgAABAAAQUxQSB8AAAABNyCQTXbX/CmCiIjMQJaNtN18LMfy/jqvENH/sPEBAFZQOCAyAAAA0AEAnQ" +
      "EqBwAFAAVAfCWwAnQBDrsFjgAA/qoO6UfofwoH1rYnMIob8RSW1sbl0TAAAAA=",
  ),
});

function decoded(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}
