/** What others see of a name: its first letter and a mask. */
export function maskedName(username: string): string {
  const [first] = new Intl.Segmenter().segment(username.trim());
  return `${first?.segment ?? "?"}***`;
}
