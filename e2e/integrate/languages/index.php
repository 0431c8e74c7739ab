<?php
session_start();
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    session_regenerate_id(true);
    $id = $_POST['id'] ?? '';
    $_SESSION['customer'] = $id === '' ? null : ['id' => $id, 'name' => "Customer $id"];
    header('Location: /', true, 303);
    exit;
}
$customer = htmlspecialchars($_SESSION['customer']['id'] ?? '');
?>
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tarn & Tread</title>
    <script type="module" src="/api/chat/embed.js"></script>
  </head>
  <body>
    <form method="post" action="/sign-in"><input name="id" aria-label="Customer"><button>Sign in</button></form>
    <form method="post" action="/sign-out"><button>Sign out</button></form>
    <shop-chat agent-name="Wren" shop-name="Tarn & Tread" <?= $customer === '' ? '' : "customer=\"$customer\"" ?>></shop-chat>
  </body>
</html>
