import path from "node:path";

/**
 * Cycles between folders that lie side by side, at every level below each app's `src`. A folder
 * stands for all files below it. Tests are left out: they may reach into other features.
 *
 * @param {{ source: string, dependencies: { resolved: string }[] }[]} modules dependency-cruiser's modules
 * @returns {string[]} a sentence for each cycle, with the imports that close it
 */
export function folderCycles(modules) {
  const siblings = new Map();
  for (const { source, dependencies } of modules) {
    if (isTest(source)) continue;
    for (const { resolved } of dependencies) addEdge(siblings, source, resolved);
  }
  return [...siblings].flatMap(([parent, graph]) =>
    stronglyConnected(graph).map((folders) => describeCycle(parent, folders, graph)),
  );
}

const sourceFolder = /^(?:.*\/)?apps\/[^/]+\/src\//;

function isTest(file) {
  return /\.test\.tsx?$/.test(file) || /\/(?:test-support|testing)\//.test(file);
}

/** The folders at which the paths of both files part: one imports the other. */
function addEdge(siblings, from, to) {
  const base = sourceFolder.exec(from)?.[0];
  if (base === undefined || !to.startsWith(base) || isTest(to)) return;
  const a = path.dirname(from).slice(base.length).split("/");
  const b = path.dirname(to).slice(base.length).split("/");
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth += 1;
  if (depth >= a.length || depth >= b.length || a[depth] === "" || b[depth] === "") return;
  if (a[0] === "." || b[0] === ".") return;
  const parent = base + a.slice(0, depth).join("/");
  const graph = upsert(siblings, parent, () => new Map());
  const targets = upsert(graph, a[depth], () => new Map());
  upsert(targets, b[depth], () => []).push(`${from} -> ${to}`);
}

function upsert(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

/** Tarjan's algorithm; only components of two folders or more. */
function stronglyConnected(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const components = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const target of graph.get(node)?.keys() ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(node, Math.min(low.get(node), low.get(target)));
    }
    if (low.get(node) === index.get(node)) {
      const component = stack.splice(stack.indexOf(node));
      if (component.length > 1) components.push(component);
    }
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return components;
}

function describeCycle(parent, folders, graph) {
  const inside = new Set(folders);
  const lines = folders.flatMap((from) =>
    [...(graph.get(from) ?? [])]
      .filter(([to]) => inside.has(to))
      .map(
        ([to, imports]) =>
          `  ${from} -> ${to} (${imports.length}): ${imports.slice(0, 3).join(", ")}`,
      ),
  );
  return `folders of ${parent} import each other: ${folders.toSorted().join(", ")}\n${lines.join("\n")}`;
}
