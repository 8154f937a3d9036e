// The n-th person, project or component always has the same name, until a word below changes.

const firstNames = words(`
  Ada Aiko Amina Anna Arda Astrid Bao Bruno Carla Chidi Daniela Edgar Eliška Emre Eszter Farid Felix
  Greta Hanne Ignacio Imani Jana Jonas Júlia Kaito Klara Lars Leila Linh Lucia Malik Marek Mei Mila
  Nadia Nico Noor Olga Otto Paula Petra Priya Raj René Ruben Sara Simon Søren Tariq Thea Tuan Ulla
  Vera Wanda Xenia Yusuf Zeynep Zoë`);

const lastNames = words(`
  Abe Aguilar Andersen Bakker Banerjee Berg Borges Castillo Chen Dahl Demir Diallo Dubois Dvořák
  Eder Engel Esposito Fiala Fontaine Gallo García Greco Gupta Haugen Herrera Huang Ivanov Jensen
  Joshi Kaya Khan Klein Kovač Kumar Larsen Lindberg Lorenz Marchetti Martin Mendes Möller Nakano
  Nielsen Novák Oliveira Patel Popescu Quist Ramos Rossi Sato Silva Strand Suzuki Szabó Takeda Toth
  Vargas Vogel Weber Wolf Yilmaz Živković`);

const projectAdjectives = words(`
  amber bold bright calm clear crisp fair fine golden happy light lively merry misty noble open
  proud quiet silent smart steady sunny tidy warm`);

const projectNouns = words(`
  abacus anvil beacon canvas cedar compass crane dune ember fern fjord fountain glacier grove harbor
  kite lantern ledger lily maple meadow olive orchard owl parrot pepper planet prairie quarry raven
  ridge spruce summit tulip violet willow`);

const componentNames = words(`
  app website docs core android desktop server installer manual mobile widgets api emails plugins
  themes help`);

const people = pairs(firstNames, lastNames);
const projects = pairs(projectAdjectives, projectNouns);

/** The username has letters from a to z and a dot. Once all pairs of names are used, it also has digits. */
export function personOf(n: number) {
  const [first, last, round] = people(n);
  const username = `${toAscii(`${first}.${last}`)}${numberOf(round, '')}`;
  return { username, full_name: `${first} ${last}`, email: `${username}@example.com` };
}

export function projectOf(n: number) {
  const [adjective, noun, round] = projects(n);
  return named(`${adjective}-${noun}${numberOf(round, '-')}`);
}

/** @param n the number within the project */
export function componentOf(n: number) {
  const round = Math.floor((n - 1) / componentNames.length);
  return named(`${componentNames[(n - 1) % componentNames.length]}${numberOf(round, '-')}`);
}

const numberOf = (round: number, separator: string) => (round === 0 ? '' : `${separator}${round + 1}`);

const named = (slug: string) => ({ slug, name: slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ') });

// Makes neighbours differ. This prime divides no number of pairs, so all pairs come before one repeats.
const step = 2039;

function pairs(a: readonly string[], b: readonly string[]) {
  const count = a.length * b.length;
  return (n: number) => {
    const at = ((n - 1) * step) % count;
    return [a[Math.floor(at / b.length)], b[at % b.length], Math.floor((n - 1) / count)] as const;
  };
}

const toAscii = (name: string) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').toLowerCase();

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}
