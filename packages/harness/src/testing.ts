/** Test doubles and conformance suites for users of @croft/harness, true to the ports and tested like the real parts. */

export type { Model } from "./model/model.ts";
