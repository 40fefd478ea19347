import { Failure } from "@croft/harness";

process.stdout.write(new Failure("E_TODO", "not yet").narration);
