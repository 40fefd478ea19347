/** The languages the offline model reads. To teach it another, describe it as `language.ts` says and add it here. */

import type { Language } from "./language.ts";
import { c } from "./languages/c.ts";
import { go } from "./languages/go.ts";
import { java } from "./languages/java.ts";
import { python } from "./languages/python.ts";
import { rust } from "./languages/rust.ts";
import { script } from "./languages/script.ts";

export const languages: readonly Language[] = [script, python, go, rust, java, c];
