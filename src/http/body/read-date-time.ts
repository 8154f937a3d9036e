// Dates and times as Weblate reads them: Python's forms of ISO 8601, and forms like `2030-1-2 3:04`
// (transcript users__expiry). Without an offset, they are in UTC.
import { asciiDigits } from '../wire/python-input.ts';

const daySeconds = 86_400;
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

// Separators stand between all parts or none. Any character may separate day and time, but a digit after a
// week is always the weekday: hence the lookahead.
const isoDay = String.raw`(?<year>\d{4})(?<dash>-?)(?:(?<month>\d\d)\k<dash>(?<date>\d\d)|W(?<week>\d\d)(?:\k<dash>(?<weekday>\d))?)`;
const isoTime = String.raw`(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<micros>\d+))?)?)?`;
const isoZone = String.raw`Z|(?<sign>[+-])(?<east>\d\d)(?:(?<colons>:?)(?<eastMinute>[0-5]\d)(?:\k<colons>(?<eastSecond>[0-5]\d)(?:[.,]\d+)?)?)?`;
const iso = new RegExp(`^(?=(?<day>${isoDay}))\\k<day>(?:.${isoTime}(?:${isoZone})?)?$`, 'su');
const loose =
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<date>\d{1,2})[T ](?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,](?<micros>\d{1,6})\d{0,6})?)?\s*(?:Z|(?<sign>[+-])(?<east>\d{2})(?::?(?<eastMinute>\d{2}))?)?\n?$/u;

/** `2030-01-02T03:04:05.678900Z`; `overflow` outside the years 1 to 9999; undefined for other texts. */
export function readDateTime(text: string) {
  const parts = (iso.exec(text) ?? loose.exec(asciiDigits(text)))?.groups;
  if (parts === undefined) return undefined;
  const numberOf = (part: string, missing = '0') => Number(parts[part] ?? missing);
  const secondsOf = (hour: string, minute: string, second: string) =>
    numberOf(hour) * 3600 + numberOf(minute) * 60 + numberOf(second);
  const day =
    parts['week'] === undefined
      ? dayOf(numberOf('year'), numberOf('month'), numberOf('date'))
      : dayOfWeek(numberOf('year'), numberOf('week'), numberOf('weekday', '1'));
  const east = secondsOf('east', 'eastMinute', 'eastSecond');
  const isTime = numberOf('hour') < 24 && numberOf('minute') < 60 && numberOf('second') < 60;
  if (day === undefined || !isTime || east >= daySeconds) return undefined;
  const utcMs = day + (secondsOf('hour', 'minute', 'second') - (parts['sign'] === '-' ? -east : east)) * 1000;
  if (utcMs < earliest || utcMs > latest) return 'overflow';
  const micros = (parts['micros'] ?? '').padEnd(6, '0');
  return `${new Date(utcMs).toISOString().slice(0, 19)}.${micros.slice(0, 6)}Z`;
}

function dayOf(year: number, month: number, date: number) {
  const day = new Date(0);
  const ms = day.setUTCFullYear(year, month - 1, date);
  // Date reads 31 February as 3 March.
  return year > 0 && day.getUTCMonth() === month - 1 && day.getUTCDate() === date ? ms : undefined;
}

function dayOfWeek(year: number, week: number, weekday: number) {
  if (year === 0 || week < 1 || week > 53 || weekday < 1 || weekday > 7) return undefined;
  const monday = firstMonday(year) + (week - 1) * 7 * daySeconds * 1000;
  return week === 53 && monday >= firstMonday(year + 1) ? undefined : monday + (weekday - 1) * daySeconds * 1000;
}

/** The Monday of week 1, the week with 4 January. */
function firstMonday(year: number) {
  const fourth = new Date(0).setUTCFullYear(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * daySeconds * 1000;
}
