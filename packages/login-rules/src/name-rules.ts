/**
 * Recognises bots by their names. Names are free to choose, so this finds only tools that do not
 * care. Each rule also costs some real players, so most apply only under pressure.
 */

/** Names that tools for load tests and attacks give by default, with a number behind them. */
const toolName =
  /^(?:mc_?)?(?:bot|spam_?bot|stress_?bot|attack_?bot|dosbot)_?\d+$|^mc(?:storm|spam)/i;

/** Letters without a vowel one after the other: no word in any language written in Latin. */
const unspeakable = /[b-df-hj-np-tv-xz]{8}/i;

/** Letters and digits taking turns: as random generators write them, seldom people. */
const turnsMax = 5;

export function isToolName(name: string): boolean {
  return toolName.test(name);
}

export function looksRandom(name: string): boolean {
  return unspeakable.test(name) || turnsOf(name) > turnsMax;
}

/** How often a letter follows a digit or the other way round. */
function turnsOf(name: string): number {
  let turns = 0;
  let before: boolean | undefined;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    const isDigit = code >= 0x30 && code <= 0x39;
    if (before !== undefined && isDigit !== before) turns++;
    before = isDigit;
  }
  return turns;
}

/** Letters without which a stem says nothing. */
const stemLettersMin = 3;

/** The common part of numbered names; undefined if it is too short, or if there is no number. */
export function stemOf(name: string): string | undefined {
  if (!/\d/.test(name)) return undefined;
  const letters = name.replace(/[\d_]+/g, "");
  return letters.length < stemLettersMin ? undefined : letters;
}

const beginningCharacters = 5;

/** The common part of names made of one word and random characters: beginning and length. */
export function beginningOf(name: string): string | undefined {
  if (name.length <= beginningCharacters) return undefined;
  return `${name.slice(0, beginningCharacters)}${String.fromCharCode(name.length)}`;
}
