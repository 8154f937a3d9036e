// Dates and times as Weblate reads and writes them. It reads every form of ISO 8601 that Python knows, and beside those
// the usual one with single digits (transcript users__expiry). Without an offset they are in UTC.
import { asciiDigits } from '../wire/python-integer.ts';

/** `2030-01-02T03:04:05.678900Z`; `overflow` for a moment before the year 1 or after 9999; undefined for no moment. */
export function readDateTime(text: string): string | undefined {
  const moment = readIso(text) ?? readLoose(text);
  if (moment === undefined) return undefined;
  const { day, seconds, micros, offset } = moment;
  if (offset !== undefined && Math.abs(offset) >= daySeconds) return undefined;
  const utcMs = day + (seconds - (offset ?? 0)) * 1000;
  if (utcMs < earliest || utcMs > latest) return 'overflow';
  return `${new Date(utcMs).toISOString().slice(0, 19)}.${micros.slice(0, 6).padEnd(6, '0')}Z`;
}

/** `2026-01-02T03:04:05.000000`, in UTC, in the wire's form: microseconds only if there are some. */
export const writeMoment = (text: string): string => `${text.replace(/\.000000$/, '')}Z`;

interface Moment {
  /** Midnight of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly seconds: number;
  /** The digits after the point. */
  readonly micros: string;
  /** Seconds east of UTC. */
  readonly offset: number | undefined;
}

const daySeconds = 86_400;
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

const isoDate = /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)|-W(\d\d)(?:-(\d))?|W(\d\d)(\d)?)/;
const clock = String.raw`(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?|(\d\d)(?:(\d\d)(?:[.,](\d+))?)?)?`;
const isoTime = new RegExp(`^${clock}(?:(Z)|([+-])${clock})?$`);

function readIso(text: string): Moment | undefined {
  const date = isoDate.exec(text);
  if (date === null) return undefined;
  const [all, year, month, date1, month2, date2, week, weekday, week2, weekday2] = date;
  const at =
    week === undefined && week2 === undefined
      ? dayOf(year, month ?? month2, date1 ?? date2)
      : dayOfWeek(Number(year), Number(week ?? week2), Number(weekday ?? weekday2 ?? 1));
  if (at === undefined) return undefined;
  if (all.length === text.length) return { day: at, seconds: 0, micros: '', offset: undefined };
  // One character of any kind parts the day from the time.
  const parted = text.slice(all.length + ((text.codePointAt(all.length) ?? 0) > 0xff_ff ? 2 : 1));
  const time = isoTime.exec(parted);
  if (time === null) return undefined;
  const seconds = secondsOf(time.slice(1, 8));
  if (seconds === undefined) return undefined;
  const micros = time[4] ?? time[7] ?? '';
  if (time[9] === undefined) return { day: at, seconds, micros, offset: time[8] === undefined ? undefined : 0 };
  const offset = secondsOf(time.slice(10, 17));
  return offset === undefined ? undefined : { day: at, seconds, micros, offset: time[9] === '-' ? -offset : offset };
}

function secondsOf([hour, minute, second, , minute2, second2]: readonly (string | undefined)[]): number | undefined {
  const [h, m, s] = [Number(hour), Number(minute ?? minute2 ?? 0), Number(second ?? second2 ?? 0)];
  return h > 23 || m > 59 || s > 59 ? undefined : h * 3600 + m * 60 + s;
}

const loose =
  /^(\p{Nd}{4})-(\p{Nd}{1,2})-(\p{Nd}{1,2})[T ](\p{Nd}{1,2}):(\p{Nd}{1,2})(?::(\p{Nd}{1,2})(?:[.,](\p{Nd}{1,6})\p{Nd}{0,6})?)?\s*(Z|([+-])(\p{Nd}{2})(?::?(\p{Nd}{2}))?)?\n?$/u;

function readLoose(text: string): Moment | undefined {
  const found = loose.exec(text);
  if (found === null) return undefined;
  const [, year, month, date, hour, minute, second, micros = '', zone, sign, east, eastMinutes] = found.map(
    (part) => part && asciiDigits(part),
  );
  const day = dayOf(year, month, date);
  const seconds = secondsOf([hour, minute, second]);
  if (day === undefined || seconds === undefined) return undefined;
  const offset = Number(east ?? 0) * 3600 + Number(eastMinutes ?? 0) * 60;
  return { day, seconds, micros, offset: zone === undefined ? undefined : sign === '-' ? -offset : offset };
}

function dayOf(year = '', month = '', date = ''): number | undefined {
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const ms = Date.parse(`${day}T00:00:00Z`);
  // Date takes 31 February for 3 March.
  return year === '0000' || Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day) ? undefined : ms;
}

function dayOfWeek(year: number, week: number, weekday: number): number | undefined {
  if (year === 0 || week < 1 || week > 53 || weekday < 1 || weekday > 7) return undefined;
  const monday = firstMonday(year) + (week - 1) * 7 * daySeconds * 1000;
  return week === 53 && monday >= firstMonday(year + 1) ? undefined : monday + (weekday - 1) * daySeconds * 1000;
}

/** The Monday of the week that has 4 January. */
function firstMonday(year: number): number {
  const fourth = Date.parse(`${String(year).padStart(4, '0')}-01-04T00:00:00Z`);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * daySeconds * 1000;
}
