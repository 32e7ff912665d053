import type { ProjectFile } from './write-files.js';

/**
 * Actions by the digest of their commit: a tag can be moved to other code, a digest cannot. Dependabot renews those of a project, this table those of new projects.
 * The repository's own workflows use the same (`test/lint/workflows.test.ts`).
 */
const ACTIONS = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  node: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  cosign: 'sigstore/cosign-installer@6f9f17788090df1f26f669e9d70d6ae9567deba6 # v4.1.2',
} as const;

const SETUP = `      - uses: ${ACTIONS.checkout}
        with:
          persist-credentials: false
      - uses: ${ACTIONS.node}
        with:
          node-version: 24`;

const CI = `name: ci
on:
  push:
    branches: [main]
  pull_request:
  # By release.yaml, for a tag.
  workflow_call:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
${SETUP}
          cache: npm
      - run: npm ci
      - run: npm run typecheck
      - run: npm run build
      - run: npm test
      - run: npm run synth
`;

const RELEASE = `# Builds, pushes and signs the image of a tag such as v0.1.0.
# Variables of the repository: IMAGE (for example registry.example.com/my-operator) and, for a registry other than GitHub's,
# REGISTRY_USER with the secret REGISTRY_PASSWORD.
name: release
on:
  push:
    tags: ['v*']
permissions: {}
jobs:
  test:
    permissions:
      contents: read
    uses: ./.github/workflows/ci.yaml
  image:
    needs: test
    runs-on: ubuntu-latest
    permissions:
      contents: read
      # To push to GitHub's registry.
      packages: write
      # To sign as this workflow: Sigstore issues a certificate for its identity, and no key has to be kept.
      id-token: write
    env:
      IMAGE: \${{ vars.IMAGE }}
    steps:
      - name: Require the variable IMAGE
        run: |
          if [ -z "$IMAGE" ]; then
            echo '::error::The repository has no variable IMAGE. Set it to the name of the image without a tag: gh variable set IMAGE'
            exit 1
          fi
${SETUP}
          package-manager-cache: false
      - uses: ${ACTIONS.cosign}
        with:
          cosign-release: v3.1.3
      - name: Log in to the registry
        env:
          REGISTRY_USER: \${{ vars.REGISTRY_USER || github.actor }}
          REGISTRY_PASSWORD: \${{ secrets.REGISTRY_PASSWORD || github.token }}
        run: echo "$REGISTRY_PASSWORD" | docker login "\${IMAGE%%/*}" --username "$REGISTRY_USER" --password-stdin
      - name: Build and push the image
        id: image
        run: |
          tagged="$IMAGE:\${GITHUB_REF_NAME#v}"
          docker build --tag "$tagged" \\
            --label "org.opencontainers.image.source=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" \\
            --label "org.opencontainers.image.revision=$GITHUB_SHA" .
          docker push "$tagged"
          reference="$(docker inspect --format '{{index .RepoDigests 0}}' "$tagged")"
          echo "reference=$reference" >> "$GITHUB_OUTPUT"
      # npm sbom --omit dev leaves out packages that development tools need too (npm/cli issue 7909), so the tools go first.
      - name: List the npm packages of the operator
        run: |
          npm pkg delete devDependencies
          npm install --package-lock-only --ignore-scripts
          npm sbom --package-lock-only --sbom-format cyclonedx --sbom-type application > sbom.cdx.json
      - name: Sign the image and the list
        env:
          REFERENCE: \${{ steps.image.outputs.reference }}
        run: |
          cosign sign --yes "$REFERENCE"
          cosign attest --yes --type cyclonedx --predicate sbom.cdx.json "$REFERENCE"
          echo "Signed: \\\`$REFERENCE\\\`. Manifests of exactly this image: \\\`IMAGE=$REFERENCE npm run synth\\\`" >> "$GITHUB_STEP_SUMMARY"
`;

const DEPENDABOT = `# Proposes new versions of the actions: the digest and the version behind it.
version: 2
updates:
  - package-ecosystem: github-actions
    directory: /
    schedule:
      interval: weekly
`;

/** The workflows of a new project, and what renews their actions. */
export const WORKFLOWS: readonly ProjectFile[] = [
  { path: '.github/workflows/ci.yaml', text: CI },
  { path: '.github/workflows/release.yaml', text: RELEASE },
  { path: '.github/dependabot.yml', text: DEPENDABOT },
];
