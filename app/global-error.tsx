"use client";

/** Shown when the root layout itself fails, which leaves no styles and no messages. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en" style={{ colorScheme: "light dark" }}>
      <body style={{ fontFamily: "system-ui", padding: "10vh 1.5rem", maxWidth: "40rem", margin: "auto" }}>
        <h1>Something went wrong on our side</h1>
        <p lang="zh-Hans">我们这边出了点问题。</p>
        <p lang="ja">こちらで問題が発生しました。</p>
        <button type="button" onClick={retry}>
          Try again · 重试 · もう一度試す
        </button>
      </body>
    </html>
  );
}
