import { mitigationFallback } from "@palisade/contract/http/mitigation";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { tryLogin } from "../minecraft/java-client.ts";
import { buyShield, type OverviewFixture, startOverviewFixture } from "../overview/fixture.ts";
import { createAccount, type TestAccount } from "../screens/accounts.ts";

/** Refuses only games with Forge. */
export const calm = { ...mitigationFallback, anti_forge: true };

/** A shield whose owner changes its mitigation, and players who meet it. */
export class MitigatedShield {
  readonly fixture: OverviewFixture;
  readonly owner: TestAccount;
  readonly id: string;
  readonly #domain: string;

  constructor(fixture: OverviewFixture, owner: TestAccount, id: string, domain: string) {
    this.fixture = fixture;
    this.owner = owner;
    this.id = id;
    this.#domain = domain;
  }

  change(body: object) {
    const params = { id: this.id };
    return this.owner.call(routes.mitigation.updateMitigation, { params, body });
  }

  /** Changes the settings, and waits for the edge to apply them. */
  async enforce(body: object): Promise<void> {
    const { revision } = (await this.change(body)).data;
    const call = { params: { id: this.id }, query: { revision } };
    await until(
      async () => {
        const { data } = await this.owner.call(routes.servers.getPropagation, call);
        return data.edges_applied === 1;
      },
      { what: `revision ${revision} on the edge` },
    );
  }

  /** So many logins at once, each from a network of its own, of a game with Forge. */
  async moddedLogins(amount: number): Promise<{ readonly text: string }[]> {
    const outcomes = Array.from({ length: amount }, (_, n) =>
      tryLogin(
        {
          edge: this.fixture.palisade.java,
          host: `${this.#domain}\0FML\0`,
          from: `127.0.${n + 1}.9`,
        },
        `Player_${n}`,
      ),
    );
    return (await Promise.all(outcomes)).map((outcome) =>
      outcome.kind === "kicked" ? outcome : { text: "" },
    );
  }
}

/** The files that share a product number their accounts and shields together. */
let serial = 0;

/** Gives a test file the product with an edge, and each of its tests a new shield. */
export function eachTestHasAMitigatedShield(take: (current: MitigatedShield) => void): void {
  let fixture: OverviewFixture;
  let owner: TestAccount;
  beforeAll(async () => {
    fixture = await startOverviewFixture();
    owner = await createAccount(
      fixture.palisade.consoleUrl,
      `mitigated${(serial += 1)}@example.com`,
    );
    await fixture.credit(owner, "1000");
  });
  beforeEach(async () => {
    const domain = `sky${(serial += 1)}.example.com`;
    const id = await buyShield(owner, { plan: "Pro", name: "Skyline", domain, port: 4_001 });
    take(new MitigatedShield(fixture, owner, id, domain));
  });
  afterEach(() => fixture.closePages());
  afterAll(() => fixture?.end());
}
