// Prints the CPU milliseconds of importing the first argument, with the other arguments loaded before.
const [measured, ...loaded] = process.argv.slice(2);
for (const specifier of loaded) await import(specifier);
const start = process.cpuUsage();
await import(measured);
const { user, system } = process.cpuUsage(start);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }));
