/** What has just been done to the disk, for tests that stop there. */

export type Step = {
  readonly did: "made" | "staged" | "landed" | "removed" | "synced" | "put back";
  readonly path: string;
};
export type Observe = (step: Step) => void;
