export type CalendarEntry = {
  uid: string;
  /** When this file was made. */
  stamp: Date;
  at: Date;
  /** How long before it the calendar reminds, as an RFC 5545 duration: `P1D`. */
  remindBefore: string;
  title: string;
  text: string;
  url: string;
};

const utc = (when: Date) => when.toISOString().replace(/[-:]|\.\d+/g, "");
const escaped = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|[\r\n]/g, "\\n");

/** A content line of at most 75 octets, continued behind a blank; no character is cut in two (RFC 5545, 3.1). */
function folded(line: string): string {
  const lines = [""];
  let octets = 0;
  for (const letter of line) {
    const more = new TextEncoder().encode(letter).length;
    if (octets + more > 75) octets = lines.push(" ") && 1;
    lines[lines.length - 1] += letter;
    octets += more;
  }
  return lines.join("\r\n");
}

/** One moment as a calendar file (RFC 5545) with a reminder before it; it takes up no time of the day. */
export function renderCalendar({ uid, stamp, at, remindBefore, title, text, url }: CalendarEntry): string {
  const alarm = [
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escaped(title)}`,
    `TRIGGER:-${remindBefore}`,
  ];
  const event = [`UID:${uid}`, `DTSTAMP:${utc(stamp)}`, `DTSTART:${utc(at)}`, `SUMMARY:${escaped(title)}`];
  const more = [`DESCRIPTION:${escaped(text)}`, `URL:${url}`, "TRANSP:TRANSPARENT", ...alarm, "END:VALARM"];
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Passlane//Library//EN", "BEGIN:VEVENT"];
  return [...head, ...event, ...more, "END:VEVENT", "END:VCALENDAR", ""].map(folded).join("\r\n");
}
