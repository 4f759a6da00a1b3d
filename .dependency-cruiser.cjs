/** The import rules of docs/architecture.md. A fixture breaks each of them and must fail (scripts/check.mjs). */
const inside = "^(?:tests/fixtures/dependency-rules/)?";

/** The edge's folders that decide about connections. */
const pureFolders = "(rules|routing|challenge/rules)";

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "apps-never-import-apps",
      severity: "error",
      from: { path: `${inside}apps/([^/]+)/` },
      to: { path: `${inside}apps/`, pathNot: `${inside}apps/$1/` },
    },
    {
      name: "packages-never-import-apps",
      severity: "error",
      from: { path: `${inside}packages/` },
      to: { path: `${inside}apps/` },
    },
    {
      name: "api-platform-never-imports-features",
      severity: "error",
      from: { path: `${inside}apps/api/src/platform/`, pathNot: "\\.test\\.ts$" },
      to: { path: `${inside}apps/api/src/features/` },
    },
    {
      name: "api-features-meet-in-services",
      comment:
        "Across features only a service is imported; tables, policies and presenters stay inside.",
      severity: "error",
      from: { path: `${inside}apps/api/src/features/([^/]+)/`, pathNot: "\\.test\\.ts$" },
      to: {
        path: `${inside}apps/api/src/features/`,
        pathNot: [`${inside}apps/api/src/features/$1/`, "\\.service\\.ts$"],
      },
    },
    {
      name: "console-features-never-meet",
      severity: "error",
      from: { path: `${inside}apps/console/src/features/([^/]+)/` },
      to: {
        path: `${inside}apps/console/src/features/`,
        pathNot: `${inside}apps/console/src/features/$1/`,
      },
    },
    {
      name: "console-loads-families-of-routes",
      comment: "The list of all routes brings every schema there is; a page loads what it calls.",
      severity: "error",
      from: { path: `${inside}apps/console/` },
      to: { path: `${inside}packages/contract/src/http/routes\\.ts$` },
    },
    {
      name: "edge-decisions-are-pure",
      comment:
        "Facts, configuration and the time go in, a verdict comes out: these folders import only each other and pure packages, so no sockets, timers or logs.",
      severity: "error",
      from: { path: `${inside}apps/edge/src/${pureFolders}/`, pathNot: "\\.test\\.ts$" },
      to: {
        pathNot: [
          `${inside}apps/edge/src/${pureFolders}/`,
          `${inside}packages/(contract|login-rules|minecraft-protocol|shared-tables)/`,
        ],
      },
    },
    {
      name: "login-rules-are-pure",
      comment:
        "Edge and api decide by the same rules, so the rules import only each other, the contract, the wire formats and tables. Hashing is the one thing they take from Node.",
      severity: "error",
      from: {
        path: `${inside}packages/login-rules/src/`,
        pathNot: ["\\.test\\.ts$", "/src/testing/"],
      },
      to: {
        pathNot: [
          `${inside}packages/(contract|login-rules|minecraft-protocol|shared-tables)/`,
          "^(node:)?crypto$",
        ],
      },
    },
    {
      name: "shared-tables-are-pure",
      comment: "Tables in shared memory know nothing of what is counted in them.",
      severity: "error",
      from: { path: `${inside}packages/shared-tables/src/`, pathNot: "\\.test\\.ts$" },
      to: { pathNot: `${inside}packages/shared-tables/` },
    },
    {
      name: "protocol-is-pure",
      severity: "error",
      from: { path: `${inside}packages/minecraft-protocol/src/`, pathNot: "\\.test\\.ts$" },
      to: {
        path: [
          "^(net|fs|timers|dns|http|crypto|child_process|worker_threads)(/|$)",
          "node_modules/",
        ],
      },
    },
    {
      name: "only-sockets-makes-system-calls",
      comment:
        "Pointers and descriptors stay in one package, whose tests read every structure back.",
      severity: "error",
      from: { pathNot: `${inside}packages/sockets/` },
      to: { path: "node_modules/koffi/" },
    },
    {
      name: "contract-needs-only-zod",
      severity: "error",
      from: { path: `${inside}packages/contract/src/`, pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["npm", "npm-dev", "core"], pathNot: "node_modules/zod" },
    },
    {
      name: "no-orphans-of-resolution",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: "node_modules" },
    // Packages are seen as what is imported, but not followed.
    exclude: { path: "(^|/)dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
