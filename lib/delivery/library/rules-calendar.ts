import ical, { ICalAlarmType, ICalEventTransparency } from "ical-generator";

export type CalendarEntry = {
  uid: string;
  /** When this file was made. */
  stamp: Date;
  at: Date;
  /** How many hours before it the calendar reminds. */
  remindHours: number;
  title: string;
  text: string;
  url: string;
};

/** One moment as a calendar file (RFC 5545) with a reminder before it; it takes up no time of the day. */
export function renderCalendar({ uid, stamp, at, remindHours, title, text, url }: CalendarEntry): string {
  const calendar = ical({ prodId: { company: "Passlane", product: "Library" } });
  const event = calendar.createEvent({
    id: uid,
    stamp,
    start: at,
    summary: title,
    description: text,
    url,
    transparency: ICalEventTransparency.TRANSPARENT,
  });
  event.createAlarm({ type: ICalAlarmType.display, triggerBefore: remindHours * 3600, description: title });
  return `${calendar}\r\n`;
}
