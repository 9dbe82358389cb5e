/**
 * Dates and weekdays as the languages of the shop write them, and the Chinese words that stand in most sentences about a
 * code; Chinese and Japanese may break between any two characters. Kept short because public pages load it: a number before a
 * capitalised word matches too.
 */
const DATE =
  /((?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?|[星期曜一二三四五六日月火水木金土]{3}|\d{1,2} [A-Z][a-z]{2,8}(?: \d{4})?|显示|激活码|邮件|退回)/;

/** Splits a sentence into pieces, of which every second one stays on one line. */
export const splitDates = (text: string): string[] => text.split(DATE);
