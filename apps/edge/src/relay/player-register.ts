import type { HealthBook } from "#src/health/health-book.ts";
import type { Admission } from "#src/listeners/admission.ts";
import type { ShieldRegistry } from "#src/shields/shield-registry.ts";
import { backendsOf } from "#src/shields/shield-views.ts";
import type { CounterBook } from "#src/telemetry/counter-book.ts";
import type { ShieldTally } from "#src/telemetry/shield-tally.ts";
import type { PlayerRegister } from "./kept-players.ts";
import type { RelayMeter } from "./relay-host.ts";

export interface PlayerRegisterDeps {
  readonly counters: CounterBook;
  readonly shields: Pick<ShieldRegistry, "find">;
  readonly admission: Admission;
  readonly health: Pick<HealthBook, "playersChanged">;
}

type Counting = Pick<PlayerRegisterDeps, "counters"> & {
  readonly shields: { find(shieldId: string): object | undefined };
};

function tallyOf(shieldId: string, { counters, shields }: Counting): ShieldTally {
  const tally = counters.tally(shieldId);
  // The configuration may have lost it since: then it goes once all is told.
  if (shields.find(shieldId) === undefined) counters.retire(shieldId);
  return tally;
}

/** Where a shield's bytes are counted. */
export function shieldMeter(shieldId: string, counting: Counting): RelayMeter {
  const tally = tallyOf(shieldId, counting);
  // Also the bytes of somebody who has left wake it.
  tally.players += 0;
  return tally;
}

/** Counts players of an earlier front where those let in by this one are counted. */
export function createPlayerRegister(deps: PlayerRegisterDeps): PlayerRegister {
  const { shields, admission, health } = deps;
  return {
    meter: (shieldId) => shieldMeter(shieldId, deps),
    adopt(ids) {
      const tally = tallyOf(ids.shield, deps);
      const source = admission.adopt(ids.source);
      const groups = shields.find(ids.shield)?.groups ?? [];
      const backend = backendsOf(groups).find(({ id }) => id === ids.backend);
      const count = (players: 1 | -1): void => {
        tally.players += players;
        if (backend === undefined) return;
        if (players > 0) backend.load.joined();
        else backend.load.left();
        health.playersChanged(backend);
      };
      count(1);
      if (ids.isUnparsed) tally.load.tryEnter(Number.POSITIVE_INFINITY);
      return () => {
        count(-1);
        if (ids.isUnparsed) tally.load.left();
        admission.disown(source);
      };
    },
  };
}
