/**
 * The first process of an enclosure: it runs the command, and at its end counts what it left running. All of that ends
 * when the first process does.
 */

/** The descriptor it talks with croft over. One digit: a shell takes no more for a descriptor. */
export const countAt = 4;

/**
 * The subshell becomes the command, by `exec`, which knows no builtins: so the command has the number, the parent, the
 * group and the descriptors that it would have without this. What the shell itself would say of its death goes nowhere.
 * Who has ended and was not waited for (Z) is not counted, nor is the shell. No signal from inside reaches a first
 * process but one that it handles, as shells do INT.
 *
 * bwrap asks to be ended with croft only some milliseconds after it is started: a croft that is gone by then does not
 * answer here, and the command is not run.
 */
const script = `
trap : INT
exec 5>&2 2>/dev/null
if [ -S /proc/self/fd/${countAt} ]; then echo >&${countAt}; read -r answer <&${countAt} || exit; fi
(unset OLDPWD SHLVL; exec "$@" 2>&5 ${countAt}>&- 5>&-)
code=$?
count=0
for process in /proc/[0-9]*; do
  [ "$process" != /proc/1 ] && read -r stat <"$process/stat" || continue
  case \${stat##*) } in [ZX]*) ;; *) count=$((count + 1)) ;; esac
done
echo "$count" >&${countAt}
exit "$code"
`;

/** The start of an argv for bwrap's `--as-pid-1`. */
export const firstProcess: readonly string[] = ["/bin/sh", "-c", script, "sh"];
