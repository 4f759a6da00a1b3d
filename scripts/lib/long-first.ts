import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take minutes although they are short, or wait for most of them; longest first. Vitest
 * knows how long a file took the last time; in a fresh clone it goes by size, and would leave these
 * to the end, alone.
 */
const longOnes = [
  "money/money",
  "spec/shield-pages",
  "spec/account-pages",
  "screens/screens",
  "screens/states",
  "wizard/purchase",
  "money/crash",
  "restarts/restarts",
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longOnes.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longOnes.length : place;
    };
    return bySize.toSorted((a, b) => rank(a) - rank(b));
  }
}
