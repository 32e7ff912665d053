export const MARKUP = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>keelson dev</title>
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body>
<header>
<h1 id="operator">keelson dev</h1>
<span id="phase" role="status">connecting</span>
<span id="ahead" class="muted"></span>
<nav>
<button type="button" data-action="restart" title="Starts the operator again, so that it looks at every object">start again</button>
<button type="button" data-action="kill" title="Ends the operator without a word, as a node that fails, and starts it again">kill here</button>
<button type="button" data-action="disturb" aria-pressed="false" title="Lets requests of the operator fail now and then">disturb</button>
<button type="button" data-action="stale" aria-pressed="false" title="Holds back what the operator's watches would hear, so that its caches grow old">stale here</button>
<span id="leap">
<label for="leap-ms">time</label>
<select id="leap-ms"><option value="60000">1 minute</option><option value="600000">10 minutes</option><option value="3600000">1 hour</option><option value="86400000">1 day</option></select>
<button type="button" id="forward" title="Moves the time of the API server and of the operator, as if the machine had slept">time forward</button>
</span>
</nav>
</header>
<p id="problem" role="alert" hidden></p>
<main>
<section aria-label="Objects"><ul id="objects"></ul></section>
<section id="detail" aria-label="Runs"></section>
</main>
</body>
</html>
`;
