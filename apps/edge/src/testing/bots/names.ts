/** Names and addresses of bots, none of which a rule about names or rates notices. */

const first =
  "Anna Bert Cleo Dora Emil Fritz Greta Hugo Ines Jonas Karla Lena Mira Nils Olga Pavel Rita Selma Tom Uwe Vera Walt Xenia Yara Zoe Alma Boris Clara David Edda Felix Gitta Heidi Ivan Jana Kurt Lotte Marta Nora Oskar Paula Ralf Sofia Tilda Ulla Viktor Wanda Alex Bruno Carla Dirk Elsa Frank Gina".split(
    " ",
  );
const second =
  "Fox Wolf Bear Lynx Hawk Crow Swan Dove Wren Seal Mole Deer Hare Toad Newt Crab Pike Carp Tuna Moth Wasp Ant Bee Elk Owl Cat Dog Cow Goat Lamb Oak Elm Ash Fir Pine Reed Moss Fern Rose Lily Iris Mint Sage Dill Plum Pear Fig Lime Corn Rice Salt Iron Gold Zinc".split(
    " ",
  );
/** @example humanName(0) // "AnnaFox1" */
export function humanName(n: number): string {
  const [rest, given] = [Math.floor(n / first.length), n % first.length];
  const [number, family] = [Math.floor(rest / second.length) + 1, rest % second.length];
  return `${first[given]}${second[family]}${number}`;
}

const networks = { first: 10, count: 200 } as const;
const part = 250;

/**
 * An address of loopback. The second number changes fastest, so that as few bots as can be come out of
 * one /24.
 */
export function loopbackAddress(n: number): string {
  const [rest, network] = [Math.floor(n / networks.count), n % networks.count];
  const [host, third] = [Math.floor(rest / part), rest % part];
  return `127.${networks.first + network}.${third}.${1 + (host % part)}`;
}
