/** Characters of a note at most. */
export const NOTE_MAX = 2_000;

/** A colleague whom a note can name: `@mara`, or by the whole address. */
export type Mentionable = { user_id: string; email: string; name: string };

/** A name after @, up to the next character that no address has. A mark of a sentence at its end is not part of it. */
const MENTION = /(?<![\p{L}\p{N}._+-])@([\p{L}\p{N}._+-]+(?:@[\p{L}\p{N}.-]+)?)/gu;

const localPart = (email: string) => email.slice(0, email.lastIndexOf("@")).toLowerCase();

/** The names by which colleagues are called: the part of the address before its @, where two share it the whole address. */
export function mentionNames(people: readonly { user_id: string; email: string }[]): Mentionable[] {
  const locals = people.map(({ email }) => localPart(email));
  return people.map(({ user_id, email }, i) => {
    const local = locals[i]!;
    const isShared = locals.indexOf(local) !== locals.lastIndexOf(local);
    return { user_id, email, name: isShared ? email.toLowerCase() : local };
  });
}

/** A text in parts, of which those with a person are mentions. */
export type NotePart = { text: string; person?: Mentionable };

/** Finds those whom a note names, in the order of the text. Names of nobody stay text. */
export function splitMentions(text: string, people: readonly Mentionable[]): NotePart[] {
  const parts: NotePart[] = [];
  let end = 0;
  for (const match of text.matchAll(MENTION)) {
    const called = match[1]!.toLowerCase().replace(/[.+_-]+$/, "");
    const person = people.find(({ name, email }) => name === called || email.toLowerCase() === called);
    if (!person) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    end = match.index + 1 + called.length;
    parts.push({ text: text.slice(match.index, end), person });
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
