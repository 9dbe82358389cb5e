/** Longer texts are not cached. */
const LONGEST = 300;

/** Caches a pure function of a text, up to `most` results. */
export function memoize<T>(of: (text: string) => T, most = 1000): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = of(text);
    if (text.length > LONGEST) return answer;
    if (answers.size >= most) answers.clear(); // clears arbitrary input; frequent values return quickly
    answers.set(text, answer);
    return answer;
  };
}
