/** Whether work grows with its input as it should, without a word about seconds. */

/** Sixteen times the input is about 16 times the work where it is linear, and 256 times where it is quadratic. */
export const linear = 90;
const attempts = 5;

/**
 * How many times more work `scale` 16 is than `scale` 1, in processor time of this process: other processes do not
 * count. The least of a few attempts, for a pause of the garbage collector is no growth.
 */
export async function growth(work: (scale: number) => unknown): Promise<number> {
  let least = Infinity;
  await work(1);
  for (let attempt = 0; attempt < attempts && least > linear / 3; attempt++) {
    const small = Math.min(await spent(work, 1), await spent(work, 1));
    least = Math.min(least, (await spent(work, 16)) / Math.max(small, 500));
  }
  return least;
}

/** Microseconds. */
async function spent(work: (scale: number) => unknown, scale: number): Promise<number> {
  const before = process.cpuUsage();
  await work(scale);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
