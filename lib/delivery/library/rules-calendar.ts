import ical, { ICalAlarmType, ICalEventTransparency } from "ical-generator";

export type CalendarEntry = {
  uid: string;
  /** Creation time of the file. */
  stamp: Date;
  at: Date;
  /** The reminder, in hours before the event. */
  remindHours: number;
  title: string;
  text: string;
  url: string;
};

/** A calendar file (RFC 5545) with one moment and a reminder; it blocks no time. */
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
