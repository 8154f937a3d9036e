// Made-up names: the n-th person, project or component is always the same, and no two share a name. The first is number
// 1. Any new word changes who has which name.

const firstNames = words(`
  Ada Aiko Alma Amina Anders Anna Arda Astrid Bao Bela Birgit Bruno Carla Chidi Cyril Daniela Dilek Edgar Elif Eliška Emre Erik
  Eszter Farid Felix Florin Gabor Greta Hanne Hedda Hugo Ignacio Imani Inga Isak Jana Jasmin Jonas Júlia Kaito Karin Kenji Klara
  Lars Leila Leo Linh Lucia Lukas Malik Marek Marta Mei Mila Minh Nadia Nele Nico Nina Noor Olga Oona Otto Paula Petra Priya Raj
  René Ruben Said Sara Signe Simon Søren Sven Tariq Thea Tuan Ulla Vera Wanda Xenia Yusuf Zeynep Zoë Zora`);

const lastNames = words(`
  Abe Aguilar Albrecht Andersen Arnaud Bakker Banerjee Bauer Berg Blom Borges Bruun Castillo Chen Dahl Demir Diallo Dubois
  Dvořák Eder Ekström Engel Esposito Fernández Fiala Fontaine Fuchs Gallo García Gomes Greco Gupta Hadad Halvorsen Haugen
  Herrera Holm Huang Iglesias Ivanov Jensen Joshi Karlsson Kaya Khan Klein Kovač Kraus Kumar Larsen Lehtonen Lindberg Lorenz
  Maier Marchetti Martin Mendes Molina Moretti Möller Nakano Nemec Nielsen Novák Oliveira Ortega Otto Pacheco Patel Petrov
  Popescu Quist Ramos Rinaldi Rossi Sahin Sato Silva Soto Strand Suzuki Szabó Takeda Toth Vargas Vidal Vogel Weber Wolf Yilmaz
  Zimmer Živković`);

const projectAdjectives = words(`
  amber bold bright clear crisp fair fine golden happy light lively merry misty noble open proud quiet ready round silent simple
  smart soft steady sunny tidy true warm wide young`);

const projectNouns = words(`
  abacus anvil beacon canvas cedar compass crane dune ember fern fjord fountain glacier grove hawk hill ivy kite lantern ledger
  lever lily maple meadow moss oak olive orchard owl parrot pepper planet prairie quarry raven ridge robin sail spruce summit
  tide tower tulip violet willow wren`);

const componentNames = words(`
  app website docs core android desktop server installer manual mobile widgets api emails plugins themes help`);

const people = pairs(firstNames, lastNames);
const ascii = new Map<string | undefined, string>([...firstNames, ...lastNames].map((name) => [name, toAscii(name)]));
const projects = pairs(projectAdjectives, projectNouns);

/** The username has letters a to z and one dot, and digits once every pair of names is used. */
export function personOf(n: number) {
  const [first, last, round] = people(n);
  const username = `${ascii.get(first)}.${ascii.get(last)}${numberOf(round, '')}`;
  return { username, full_name: `${first} ${last}`, email: `${username}@example.com` };
}

export function projectOf(n: number) {
  const [adjective, noun, round] = projects(n);
  return named(`${adjective}-${noun}${numberOf(round, '-')}`);
}

/** @param n within its project */
export function componentOf(n: number) {
  const round = Math.floor((n - 1) / componentNames.length);
  return named(`${componentNames[(n - 1) % componentNames.length]}${numberOf(round, '-')}`);
}

const numberOf = (round: number, separator: string): string => (round === 0 ? '' : `${separator}${round + 1}`);

const named = (slug: string) => ({ slug, name: slug.slice(0, 1).toUpperCase() + slug.slice(1).replaceAll('-', ' ') });

// Visits every pair before one repeats, by a step that shares no divisor with their number: neighbours look different.
function pairs(a: readonly string[], b: readonly string[]) {
  const count = a.length * b.length;
  let step = Math.round(count * 0.618);
  while (greatestCommonDivisor(step, count) !== 1) step++;
  return (n: number) => {
    const at = (((n - 1) % count) * step) % count;
    return [a[Math.floor(at / b.length)], b[at % b.length], Math.floor((n - 1) / count)] as const;
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function toAscii(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').toLowerCase();
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}
