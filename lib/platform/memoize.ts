/** Texts longer than this are worked out each time: what is remembered stays small, whatever is asked. */
const LONGEST = 300;

/** `of`, a pure function of a text, with its latest answers kept: for what every request asks again. */
export function memoize<T>(of: (text: string) => T, most = 1000): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = of(text);
    if (text.length > LONGEST) return answer;
    if (answers.size >= most) answers.clear(); // invented texts: the usual ones are back soon
    answers.set(text, answer);
    return answer;
  };
}
