/** The account that a demo start creates and prints; it exists in demo mode only. */
export const demoAccount = { email: "demo@passlane.example", password: "passlane-demo-1" };
