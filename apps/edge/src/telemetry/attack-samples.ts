import type { Edition } from "@palisade/contract/edge/plain-values";
import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import { AttackSources, type SourcesPart, workerSizes } from "#src/rules/attack-sources.ts";

/** Attacked shields whose sources one thread follows in one second. */
const describedMax = 32;
/** Attacked shields whose admitted players one thread counts in one second. */
const countedMax = 4_096;

/** A thread's counts of an attack since the last call. */
export interface AttackSamplePart {
  readonly shieldId: string;
  /** Players that reached the backend. */
  readonly admitted: number;
  /** Logins that had an outcome, and those of Bedrock among them. */
  readonly logins: number;
  readonly bedrock: number;
  /** Undefined if more shields are attacked than one thread describes. */
  readonly sources: SourcesPart | undefined;
}

interface Sample {
  admitted: number;
  logins: number;
  bedrock: number;
  readonly sources: AttackSources | undefined;
}

/** In each worker: where the logins to attacked shields come from, in constant memory. */
export class AttackSamples {
  readonly #samples = new Map<string, Sample>();

  /** The outcome of a login that came during an attack is known. */
  note(
    shieldId: string,
    ip: IpBytes,
    name: string,
    isAdmitted: boolean,
    edition: Edition = "java",
  ): void {
    const sample = this.#samples.get(shieldId) ?? this.#begin(shieldId);
    if (sample === undefined) return;
    sample.sources?.note(ip, name);
    sample.logins++;
    if (edition === "bedrock") sample.bedrock++;
    if (isAdmitted) sample.admitted++;
  }

  /** Once a second. */
  takeAll(): AttackSamplePart[] {
    if (this.#samples.size === 0) return [];
    const parts = [...this.#samples].map(([shieldId, { sources, ...counts }]) => ({
      shieldId,
      ...counts,
      sources: sources?.part(),
    }));
    this.#samples.clear();
    return parts;
  }

  #begin(shieldId: string): Sample | undefined {
    if (this.#samples.size >= countedMax) return undefined;
    const isDescribed = this.#samples.size < describedMax;
    const sources = isDescribed ? new AttackSources(workerSizes) : undefined;
    const sample = { admitted: 0, logins: 0, bedrock: 0, sources };
    this.#samples.set(shieldId, sample);
    return sample;
  }
}
