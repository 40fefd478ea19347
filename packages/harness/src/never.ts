/**
 * A signal for what goes on however the turn ends: learning what there is, looking after what a command has done. A new
 * one each time, since whatever listens to a signal stays as long as the signal does.
 */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
