import { Session } from "node:inspector/promises";

/** Starts to count calls in this process, and tells which files of the repository had any. */
export async function countCalls(): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const called = result.filter(({ functions }) =>
      functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    );
    return called.flatMap(({ url }) => pathOf(url) ?? []);
  };
}

/** Below the repository; undefined for Node's own files and those of npm. */
function pathOf(url: string): string | undefined {
  const root = new URL("../../../../../", import.meta.url).href;
  if (!url.startsWith(root) || url.includes("/node_modules/")) return undefined;
  return url.slice(root.length);
}

/** Work that is repeated is no part of a login, and comes at any time. */
export function withoutRepeatedWork(): void {
  const never = (): NodeJS.Timeout => setTimeout(() => undefined, 0).unref();
  globalThis.setInterval = never;
}
