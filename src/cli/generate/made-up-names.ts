// Made-up names: the n-th person, project or component is always the same, and no two share a name. The first is number
// 1. Any new word changes who has which name.

const firstNames = words(`
  Ada Agnes Aiko Alba Alma Amal Amina Amir Anders Anika Anna Anton Arda Arjun Astrid Aylin Bao Beatriz Bela Benno Birgit Bjorn
  Bruno Camille Carla Cem Chidi Clara Cyril Dalia Daniela Darius Dilek Dora Edgar Eero Elif Elin Eliška Emil Emre Enzo Erik Esra
  Eszter Ewa Farid Fatima Felix Fiona Florin Frida Gabor Gita Greta Hana Hanne Hassan Hedda Hiroshi Hugo Ida Ignacio Ilse Imani
  Ines Inga Irena Isak Ivan Jana Jarek Jasmin Joao Jonas Júlia Kaito Karim Karin Katja Kenji Kiran Klara Kofi Lars Lea Leila
  Lena Leo Lina Linh Lotte Lucia Luis Lukas Maja Malik Mara Marek Maria Marta Mateo Mei Mika Mila Milan Minh Mira Nadia Naomi Nele
  Nia Nico Nils Nina Noah Noor Nora Olga Omar Oona Oscar Otto Paolo Paula Pavel Petra Pia Priya Rafael Raj Rana René Rosa Ruben
  Sadia Said Samir Sara Selma Signe Silvia Simon Sofia Søren Stefan Sven Tamar Tariq Tea Thea Tomas Tuan Tuva Ulla Uma Vera Viktor
  Wanda Wim Xenia Yara Yusuf Yuki Zeynep Zoë Zora`);

const lastNames = words(`
  Abe Adler Aguilar Ahmadi Albrecht Almeida Andersen Antonov Arnaud Asante Bakker Balogh Banerjee Barros Bauer Becker Berg Bianchi
  Blom Bondar Borges Brandt Bruun Cardoso Castillo Celik Chen Costa Dahl Danso Demir Desai Diallo Dias Dubois Dvořák Eder Ekström
  Engel Eriksen Esposito Farkas Fernández Ferrari Fiala Fischer Fontaine Frank Fuchs Fujita Gallo García Gomes Graf Greco Gruber
  Gupta Haas Hadad Hagen Halvorsen Hansen Haugen Heikkinen Herrera Hoang Holm Horvat Huang Huber Iglesias Ito Ivanov Jansen Jensen
  Johansen Joshi Kaplan Karlsson Kato Kaya Keller Khan Kim Klein Koch Kovač Kowalski Kraus Kruse Kumar Lang Larsen Laurent Lehtonen
  Leroy Lindberg Lopes Lorenz Lund Maier Makinen Marchetti Marques Martin Mehta Mendes Meyer Molina Moreau Moretti Mensah Möller
  Nagy Nakano Navarro Nemec Nguyen Nielsen Nieminen Novák Nowak Oliveira Olsen Ortega Osei Otto Owusu Pacheco Park Patel Pereira
  Petrov Pham Popescu Prieto Quist Rahman Ramos Richter Rinaldi Rojas Rossi Roth Sahin Salazar Sato Schulz Silva Singh Soto Steiner
  Strand Suarez Suzuki Szabó Takeda Tanaka Toth Tran Vargas Vasquez Vidal Virtanen Vogel Wagner Weber Winkler Wolf Yamada Yilmaz
  Zhang Zimmer Živković`);

const projectAdjectives = words(`
  amber blue bold brave bright calm clear copper crisp early fair fast fine gentle golden green happy keen light little lively
  mellow merry mighty misty neat noble north open plain proud quick quiet rapid ready red round sharp silent silver simple small
  smart smooth soft solid steady still sunny swift tidy tiny true vivid warm white wide wild young`);

const projectNouns = words(`
  abacus anchor anvil atlas beacon bridge canvas castle cedar comet compass coral crane delta dune echo ember falcon fern field
  fjord forest fountain garden glacier globe grove harbor hawk heron hill island ivy jasmine kite lagoon lantern laurel ledger
  lemon lever lighthouse lily loom maple marble meadow mirror moss nest oak oasis olive orbit orchard otter owl palette parrot
  pebble pepper pine planet plaza prairie prism quarry quill raven reef ridge river robin saddle sail sparrow spruce star summit
  sundial tide timber tower trail tulip valley violet walnut willow windmill wren`);

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
