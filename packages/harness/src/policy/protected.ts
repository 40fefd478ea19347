/** Names of files that a policy treats apart, as globs of its rules. */

import { words } from "../word-list.ts";

export const environmentFiles: readonly string[] = [".env*", "*.env"];
export const environmentExamples: readonly string[] = ["example", "sample", "template"].flatMap((word) => [
  `.env.${word}`,
  `.env.*.${word}`,
  `${word}.env`,
]);

export const keyFiles: readonly string[] = words`
  *.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx
  id_rsa* id_dsa* id_ecdsa* id_ed25519*`;

export const credentialFiles: readonly string[] = words`
  .npmrc .pypirc .netrc _netrc .git-credentials .htpasswd .pgpass .my.cnf .vault-token .dockercfg .boto .s3cfg .*_history
  .yarnrc.yml auth.json wp-config.php *.tfvars *.tfvars.json
  .dev.vars .vault_pass* .terraformrc terraform.rc kubeconfig .kubeconfig rclone.conf
  .ssh .gnupg .aws .azure .kube **/.config/gcloud **/.config/gh
  **/.docker/config.json **/.cargo/credentials* **/.m2/settings*.xml
  credentials.json client_secret*.json service-account*.json serviceAccountKey*.json
  secrets.json secrets.yml secrets.yaml secrets.toml *.tfstate *.tfstate.*`;

export const installedPackages: readonly string[] = ["node_modules"];

export const gitInternals: readonly string[] = [".git", "git~1"];

/** They run elsewhere, often with secrets at hand. */
export const ciDefinitions: readonly string[] = words`
  **/.github/workflows **/.github/actions CODEOWNERS dependabot.yml
  .gitlab-ci.yml .gitlab-ci.yaml **/.gitlab/ci **/.gitea/workflows **/.forgejo/workflows
  Jenkinsfile* *.jenkinsfile .circleci .travis.yml .appveyor.yml appveyor.yml .buildkite .teamcity .cirrus.yml
  azure-pipelines*.yml azure-pipelines*.yaml .azure-pipelines bitbucket-pipelines.yml .drone.yml .woodpecker*
  cloudbuild.yaml cloudbuild.yml buildspec.yml
  .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .lefthook.yml
  Dockerfile Dockerfile.* *.Dockerfile Containerfile docker-compose*.yml docker-compose*.yaml compose.yml compose.yaml`;

/** An editor may run what stands in them as soon as the folder is opened. */
export const editorTasks: readonly string[] = words`
  .vscode .vs .idea .run .fleet .zed .theia .devcontainer .devcontainer.json *.code-workspace *.sublime-project
  .nvim.lua .nvimrc .exrc .vimrc .dir-locals.el`;

/** What other coding agents obey. */
export const agentFiles: readonly string[] = words`
  .claude .codex .gemini .cursor .cursorrules .cursorignore .mcp.json mcp.json .aider* .agents .agent
  .windsurf .windsurfrules .cline .clinerules .roo .roorules* .roomodes .kilocode .kiro .continue
  .opencode opencode.json opencode.jsonc .crush .crush.json crush.json .goose .goosehints .qwen .amazonq .augment .junie
  .trae .pi **/.github/copilot-instructions.md **/.github/instructions **/.github/prompts **/.github/agents
  **/.github/chatmodes`;

/** Read by agents as conventions, in whichever folder they stand. */
export const memoryFiles: readonly string[] = words`
  AGENTS.md AGENTS.*.md CLAUDE.md CLAUDE.*.md GEMINI.md QWEN.md CRUSH.md WARP.md`;

/** They make a package manager, git or a shell run other code, or get it from elsewhere. */
export const toolConfigs: readonly string[] = words`
  .npmrc .yarnrc .yarnrc.yml **/.yarn/releases **/.yarn/plugins .pnpmfile.cjs .pnpmfile.mjs bunfig.toml pip.conf
  **/.cargo/config **/.cargo/config.toml .bazelrc .envrc mise.toml .mise.toml .tool-versions
  .husky .githooks .gitattributes .lfsconfig`;

/** They run at a login or let somebody in, and no task in a project needs them changed. */
export const shellFiles: readonly string[] = words`
  .profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases
  .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .xprofile .xinitrc .xsession .pam_environment
  **/.config/fish **/.config/autostart **/.config/systemd **/Library/LaunchAgents *profile.ps1
  .ssh .gitconfig **/.config/git`;

/** Where git is told to look for other repositories. */
export const gitModules: readonly string[] = [".gitmodules"];

/** croft's own, in the project and in a home, whether it is there yet or not. */
export const croftFiles: readonly string[] = [".croft*", "**/.config/croft", "**/.local/state/croft"];
