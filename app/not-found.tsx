/** For paths outside the localized pages, such as "/x.txt". All others show components/shell/not-found-screen.tsx. */
export default function NotFound() {
  return "This page could not be found.";
}
