/** Dates and weekdays as the languages of the shop write them. Chinese and Japanese may break between any two characters. */
const DATE =
  /((?:\d{4}年)?\d{1,2}月\d{1,2}日|\d{4}年\d{1,2}月|星期[一二三四五六日]|[月火水木金土日]曜日|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?: \d{4})?)/;

/** A sentence in pieces, of which each second one is a date that stays on one line. */
export const splitDates = (text: string): string[] => text.split(DATE);
