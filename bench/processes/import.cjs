// Prints the CPU milliseconds of requiring the first argument, with the other arguments loaded before.
const [measured, ...loaded] = process.argv.slice(2);
for (const specifier of loaded) require(specifier);
const start = process.cpuUsage();
require(measured);
const { user, system } = process.cpuUsage(start);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }));
