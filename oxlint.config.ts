import { defineConfig, type OxlintConfig, type OxlintOverride } from "oxlint";
import { floors, networkFolders, networkGlobals } from "./floors.ts";

type Property = { object: string; property: string; message: string };

const ownedByTheCli: Property[] = ["argv", "env", "exit", "stderr", "stdin", "stdout"].map((property) => ({
  object: "process",
  property,
  message: "The harness is a library: arguments, environment and screen belong to the CLI.",
}));

/** Ways to what the other rules forbid by name. */
const sideDoors: Property[] = [
  { object: "process", property: "getBuiltinModule", message: "Import it, so that the floors see it." },
  ...["process", ...networkGlobals].map((property) => ({
    object: "globalThis",
    property,
    message: "Use the plain name.",
  })),
];

/**
 * The layout as lint rules. An override replaces a rule as a whole, so each folder gets one complete rule, generated
 * from the table in floors.ts. `test/guard.test.ts` plants a violation of every kind and expects this file to object.
 */
const config: OxlintConfig = defineConfig({
  plugins: ["typescript", "import", "promise", "node", "unicorn", "oxc"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  options: { typeAware: true },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-require-imports": "error",
    "import/no-dynamic-require": ["error", { esmodule: true }],
    "no-console": "error",
    "no-await-in-loop": "off",
    "no-underscore-dangle": "off",
    "no-shadow": "off",
    "oxc/no-map-spread": "off",
    "no-control-regex": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/consistent-function-scoping": "off",
    "import/no-named-as-default": "off",
    "import/no-named-as-default-member": "off",
  },
  overrides: [
    ...floors.map(({ files, forbid }): OxlintOverride => ({
      files: [...files],
      rules: { "no-restricted-imports": ["error", { patterns: forbid }] },
    })),
    {
      files: ["packages/harness/src/**"],
      rules: { "node/no-process-env": "error", "no-restricted-properties": ["error", ...ownedByTheCli, ...sideDoors] },
    },
    { files: ["packages/*/src/**"], rules: { "no-restricted-globals": ["error", ...networkGlobals] } },
    {
      files: [...networkFolders],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": ["error", ...ownedByTheCli] },
    },
    {
      files: ["**/*.test.ts", "test/**"],
      rules: {
        "no-restricted-imports": "off",
        "no-restricted-globals": "off",
        "no-restricted-properties": "off",
        "node/no-process-env": "off",
      },
    },
    { files: ["{bench,evals,examples}/**"], rules: { "no-console": "off" } },
    { files: ["**/*.config.ts"], rules: { "import/no-default-export": "off" } },
  ],
  ignorePatterns: ["dist", "node_modules", "coverage"],
});

export default config;
