export function add(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

/** Memory that threads share is given back only after the collection that finds it unused. */
export async function bytesInUse(collect: () => void): Promise<number> {
  for (let round = 0; round < 2; round++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
